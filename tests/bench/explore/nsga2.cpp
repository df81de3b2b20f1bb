// NSGA-II of pagmo on spaces of which every design has been run: runs in full, repeats not counted,
// until every vector of the true front is matched within 1 %; at most 30 % of the space.
#include <pagmo/algorithm.hpp>
#include <pagmo/algorithms/nsga2.hpp>
#include <pagmo/population.hpp>
#include <pagmo/problem.hpp>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <vector>

struct table {
    std::vector<unsigned> levels;
    std::map<std::vector<unsigned>, size_t> at; // levels of the factors -> design
    std::vector<double> exact, full, cost, value, best;
    std::vector<char> run;
    size_t runs = 0, within = 0;
};

static std::shared_ptr<table> read(const char *path)
{
    auto t = std::make_shared<table>();
    std::ifstream in(path);
    size_t units, factors;
    double skip;
    in >> units >> factors;
    t->levels.resize(factors);
    for (auto &l : t->levels)
        in >> l;
    for (size_t f = 0; f < factors; f++)
        in >> skip;
    in >> skip;
    std::map<double, double> by_cost;
    for (size_t u = 0; u < units; u++) {
        std::vector<unsigned> l(factors);
        double exact, closed, full;
        for (auto &x : l)
            in >> x;
        in >> exact >> closed >> full;
        l.pop_back(); // the bottleneck is no factor
        t->at[l] = u;
        t->exact.push_back(exact);
        t->full.push_back(full);
        auto found = by_cost.find(exact);
        if (found == by_cost.end() || full < found->second)
            by_cost[exact] = full;
    }
    t->levels.pop_back();
    double best = INFINITY;
    for (auto &[cost, value] : by_cost)
        if (value < best) {
            best = value;
            t->cost.push_back(cost);
            t->value.push_back(value);
        }
    t->best.assign(t->cost.size(), INFINITY);
    t->run.assign(units, 0);
    return t;
}

static void note(table &t, size_t u)
{
    if (t.run[u])
        return;
    t.run[u] = 1;
    t.runs++;
    bool all = true;
    for (size_t i = 0; i < t.cost.size(); i++) {
        if (t.exact[u] <= t.cost[i])
            t.best[i] = std::fmin(t.best[i], t.full[u]);
        all = all && t.best[i] <= 1.01 * t.value[i];
    }
    if (all && !t.within)
        t.within = t.runs;
}

struct space_problem {
    std::shared_ptr<table> t;
    pagmo::vector_double fitness(const pagmo::vector_double &x) const
    {
        std::vector<unsigned> l;
        for (double v : x)
            l.push_back(static_cast<unsigned>(v));
        auto found = t->at.find(l);
        if (found == t->at.end())
            return {1e300, 1e300};
        note(*t, found->second);
        return {t->exact[found->second], t->full[found->second]};
    }
    std::pair<pagmo::vector_double, pagmo::vector_double> get_bounds() const
    {
        pagmo::vector_double low(t->levels.size(), 0), high;
        for (unsigned l : t->levels)
            high.push_back(l - 1e-9);
        return {low, high};
    }
    size_t get_nobj() const { return 2; }
};

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        auto t = read(argv[i]);
        pagmo::problem problem{space_problem{t}};
        pagmo::population population{problem, 64, 1};
        pagmo::algorithm algorithm{pagmo::nsga2(1, 0.95, 10, 0.1, 20, 1)};
        for (int g = 0; g < 3000 && !t->within && t->runs < 0.3 * t->full.size(); g++)
            population = algorithm.evolve(population);
        const char *name = std::strrchr(argv[i], '/');
        if (t->within)
            std::printf("NSGA-II %s: %.2f %%\n", name ? name + 1 : argv[i], 100.0 * t->within / t->full.size());
        else
            std::printf("NSGA-II %s: not with %.2f %%\n", name ? name + 1 : argv[i], 100.0 * t->runs / t->full.size());
        std::fflush(stdout);
    }
}
