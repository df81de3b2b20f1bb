/* SPDX-License-Identifier: MIT */
#include "trial.h"

#include "entry.h"
#undef main

#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS_MAX = 60, UNSOUND = 99 };

static struct {
    char folder[4096];
    int out[TRIAL_STEPS], err;
    fault_record *record;
    power_log *log;
} all;

static void *share(size_t size)
{
    void *p =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        abort();
    return p;
}

void trial_open(const char *folder)
{
    snprintf(all.folder, sizeof all.folder, "%s", folder);
    all.record = share(sizeof *all.record);
    all.log = share(sizeof *all.log);
    for (int i = 0; i < TRIAL_STEPS; i++)
        all.out[i] = memfd_create("out", MFD_CLOEXEC);
    all.err = memfd_create("err", MFD_CLOEXEC);
    fault_memory_install();
    fault_vfs_install();
}

const fault_record *trial_record(void)
{
    return all.record;
}

const power_log *trial_power(void)
{
    return all.log;
}

static void read_text(int fd, char *text)
{
    ssize_t size = pread(fd, text, TRIAL_TEXT - 1, 0);
    text[size > 0 ? size : 0] = '\0';
    if (ftruncate(fd, 0) != 0)
        abort();
    lseek(fd, 0, SEEK_SET);
}

static void collect(pid_t child, trial_result *result)
{
    int status = 0;
    waitpid(child, &status, 0);
    result->code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    result->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    for (int i = 0; i < TRIAL_STEPS; i++)
        read_text(all.out[i], result->out[i]);
    read_text(all.err, result->err);
}

static void enter(void)
{
    if (chdir(all.folder) != 0 || dup2(all.err, STDERR_FILENO) < 0)
        _exit(98);
    alarm(SECONDS_MAX);
}

static int run_main(const trial_command *command)
{
    char *argv[TRIAL_WORDS + 2] = {(char *)"memsweep"};
    int argc = 1;
    for (; command->words[argc - 1]; argc++)
        argv[argc] = (char *)command->words[argc - 1];
    return memsweep_main(argc, argv);
}

/* Says where a process ends that ends badly. */
static void say_where(int signal_number)
{
    void *frames[30];
    backtrace_symbols_fd(frames, backtrace(frames, 30), STDERR_FILENO);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static int count_descriptors(void)
{
    int count = 0;
    for (int fd = 0; fd < 64; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

void trial_run(const trial_command *command, const trial_options *options, trial_result *result)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        enter();
        dup2(all.out[0], STDOUT_FILENO);
        signal(SIGSEGV, say_where);
        signal(SIGABRT, say_where);
        fault_threads_take_turns(!options->threads);
        if (options->power)
            power_begin(all.log, all.folder);
        fault_begin(&options->plan, all.record, options->stacks, options->trace);
        int code = run_main(command);
        fault_end();
        if (options->power && code == 0)
            power_mark(POWER_END, 0);
        all.record->descriptors = count_descriptors();
        _exit(code);
    }
    collect(child, result);
}

static int take_text(void *out, int columns, char **values, char **names)
{
    (void)names;
    snprintf(out, 1000, "%s", columns && values[0] ? values[0] : "");
    return 0;
}

static int look_inside(const char *database)
{
    sqlite3 *db = NULL;
    char text[1000] = "", rows[1000] = "0";
    if (access(database, F_OK) != 0) {
        puts("0");
        return 0;
    }
    if (sqlite3_open(database, &db) != SQLITE_OK ||
        sqlite3_exec(db, "PRAGMA integrity_check", take_text, text, NULL) != SQLITE_OK ||
        strcmp(text, "ok") != 0) {
        fprintf(stderr, "not sound: %s %s\n", text, sqlite3_errmsg(db));
        return UNSOUND;
    }
    sqlite3_exec(db, "SELECT count(*) FROM points_null", take_text, rows, NULL);
    sqlite3_close(db);
    puts(rows);
    return 0;
}

static int check_all(const trial_command *const *commands, const char *database)
{
    int code = 0, i = 0;
    for (; commands && commands[i] && code == 0; i++) {
        dup2(all.out[i], STDOUT_FILENO);
        code = run_main(commands[i]);
        fflush(stdout);
    }
    dup2(all.out[TRIAL_STEPS - 1], STDOUT_FILENO);
    if (code == 0 && database)
        code = look_inside(database);
    fflush(stdout);
    return code;
}

void trial_check(const trial_command *const *commands, const char *database, trial_result *result)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        static fault_record own;
        enter();
        fault_threads_take_turns(true);
        fault_begin(&(fault_plan){.call = FAULT_CALLS}, &own, false, 0);
        _exit(check_all(commands, database));
    }
    collect(child, result);
}
