/* SPDX-License-Identifier: MIT */
/* Are messages of a wrong kind or size noticed? Do the shards of a sweep make the whole? */
#include "memsweep/store/store.h"
#include "run/message.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

static void sizes_are_checked(void **state)
{
    (void)state;
    msw_err err = {0};
    msw_mail mail = {3, MSW_SAY_GRANT, NULL, sizeof(msw_range)};
    assert_ok(msw_message_check(&mail, &err), err);
    mail.size--;
    assert_int_equal(msw_message_check(&mail, &err), -1);
    assert_non_null(strstr(err.text, "rank 3"));
    static const char zeros[12345];
    for (int kind = -1; kind < 100; kind++) {
        mail = (msw_mail){1, kind, zeros, sizeof zeros};
        assert_int_equal(msw_message_check(&mail, NULL), kind == MSW_SAY_ROWS ? 0 : -1);
    }
}

/* What another rank says of a size or a name is not believed. */
static void notes_are_checked(void **state)
{
    (void)state;
    char data[sizeof(msw_kept_note) + 3] = {0};
    msw_kept_note note = {.word = MSW_KEPT_KEEP, .size = 3};
    msw_mail mail = {1, MSW_SAY_KEPT, data, sizeof data};
    memcpy(data, &note, sizeof note);
    assert_int_equal(msw_message_check(&mail, NULL), 0);
    note.size = 4;
    memcpy(data, &note, sizeof note);
    assert_int_equal(msw_message_check(&mail, NULL), -1);
    note.size = 3;
    memset(note.kept.name, 'x', sizeof note.kept.name);
    memcpy(data, &note, sizeof note);
    assert_int_equal(msw_message_check(&mail, NULL), -1);
    mail.size = sizeof note - 1;
    assert_int_equal(msw_message_check(&mail, NULL), -1);
}

static void the_layout_names_a_version(void **state)
{
    (void)state;
    char text[64];
    msw_message_schema(text, sizeof text);
    assert_true(text[0] >= '1' && text[0] <= '9');
    assert_non_null(strchr(text, '/'));
}

/* Every missing point is in exactly one shard. */
static void shards_make_the_whole(void **state)
{
    (void)state;
    enum { POINTS = 5000, SHARDS = 7 };
    int times[POINTS] = {0};
    uint64_t smallest = POINTS, total = 0;
    msw_err err = {0};
    for (uint64_t s = 0; s < SHARDS; s++) {
        msw_todo todo = {.points = POINTS, .missing = POINTS, .everything = true};
        assert_ok(msw_todo_keep_shard(&todo, s, SHARDS, &err), err);
        for (int i = 0; i < POINTS; i++)
            times[i] += (int)(todo.bitmap[i / 64] >> (i % 64) & 1);
        smallest = todo.missing < smallest ? todo.missing : smallest;
        total += todo.missing;
        free(todo.bitmap);
    }
    for (int i = 0; i < POINTS; i++)
        assert_int_equal(times[i], 1);
    assert_int_equal(total, POINTS);
    assert_true(smallest > POINTS / SHARDS * 9 / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_checked),
        cmocka_unit_test(notes_are_checked),
        cmocka_unit_test(the_layout_names_a_version),
        cmocka_unit_test(shards_make_the_whole),
    };
    return cmocka_run_group_tests_name("message", tests, NULL, NULL);
}
