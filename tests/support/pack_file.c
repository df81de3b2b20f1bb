/* SPDX-License-Identifier: MIT */
#include "pack_file.h"

#include "memsweep/base/hash.h"
#include "memsweep/base/quote.h"
#include "memsweep/base/zip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char pack_sweep[] = "sweep: small\nmechanism: null\nworkloads: [synth/small]\n"
                          "fidelity: analytic\nvary: {x1: [0, 1]}\n";

/* The digests of plan and rows are nobody's. */
static const char HEAD[] =
    "{\"memsweep_pack\": 1, \"packed_by\": {\"version\": \"0.1.0\", \"revision\": null, "
    "\"compiler\": \"c\", \"architecture\": \"x86_64\"},\n\"sweep\": {\"name\": \"small\", "
    "\"file\": \"inputs/s.yaml\", \"digest\": \"00000000000000000000000000000000\", \"points\": 2, "
    "\"folders\": [\"inputs\"], \"fidelity\": null, \"seed\": null},\n\"versions\": {\"null\": 1, "
    "\"gone\": 2}, \"rows\": {\"count\": 2, \"digest\": \"00000000000000000000000000000000\"},\n";

void pack_versions(const char *head, const pack_content *files, size_t count, msw_text *out)
{
    char digest[MSW_DIGEST_TEXT];
    msw_text_add(out, "%s\"files\": [", head ? head : HEAD);
    for (size_t i = 0; i < count; i++) {
        msw_text_add(out, "%s{\"name\": ", i ? ", " : "");
        msw_text_add_json(out, files[i].name);
        msw_text_add(out, ", \"digest\": \"%s\"}",
                     msw_digest_text(msw_hash_string(files[i].text), digest));
    }
    msw_text_add(out, "]}");
}

void pack_archive(const char *versions, const pack_content *files, size_t count, char **bytes,
                  size_t *size)
{
    msw_zip_writer w = {.out = open_memstream(bytes, size)};
    if (!w.out)
        abort();
    for (size_t i = 0; i < count; i++)
        if (msw_zip_add(&w, files[i].name, files[i].text, strlen(files[i].text), NULL))
            abort();
    if (versions && msw_zip_add(&w, "versions.json", versions, strlen(versions), NULL))
        abort();
    if (msw_zip_end(&w, "packed by a test", NULL))
        abort();
    fclose(w.out);
}
