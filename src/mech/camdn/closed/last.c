/* Which operand of a tile comes last. */
#include "mech/camdn/closed/traffic.h"

enum { N = 1 };

double camdn_step_turns(const camdn_product *p, const camdn_step *step, int loop)
{
    const uint64_t tile[3] = {step->m, step->n, step->k};
    return (double)msw_div_up(p->size[loop], tile[loop]);
}

double camdn_last_of(const camdn_product *p, const camdn_step *step, double activations,
                     double weights)
{
    const uint8_t *order = camdn_orders[step->order];
    double turns = camdn_step_turns(p, step, N);
    int inner = 2;
    while (inner > 0 && camdn_step_turns(p, step, order[inner]) == 1)
        inner--;
    return order[inner] == N ? activations / turns + weights * (1 - 1 / turns) : activations;
}
