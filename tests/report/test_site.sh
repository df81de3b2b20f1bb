#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Is the site of the documents whole without a network: in a real browser, at 1280 and 420 pixels, light
# and dark, do pages load without a word of complaint and without anything from elsewhere, stay within
# the window, follow the theme, and does the search find?
source "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
for tool in mkdocs chromium python3; do
    command -v $tool >/dev/null || {
        echo "skipped: no $tool"
        exit 77
    }
done
gives 0 "$MEMSWEEP_SOURCE/scripts/site" "$work/site"
cat >look.py <<'PY'
import os, sys, tempfile
sys.path.insert(0, os.path.join(os.environ["MEMSWEEP_SOURCE"], "tests", "support"))
import browser as chromium

PAGES = ["index.html", "docs/tutorial.html", "docs/gallery.html", "src/mech/neummu/index.html",
         "search.html?q=walkers"]
LOOK = """({over: document.documentElement.scrollWidth - innerWidth, menu: typeof jQuery,
    bright: getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)[0],
    away: performance.getEntriesByType('resource').map(e => e.name).filter(n => !n.startsWith('file:'))})"""
bad = 0
with tempfile.TemporaryDirectory() as profile, chromium.Browser(profile, 1280, 900) as browser:
    page = browser.open("about:blank")
    for width in (1280, 420):
        page.ask("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        for theme in ("light", "dark"):
            page.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])
            for name in PAGES:
                page.ask("Page.navigate", url=f"file://{sys.argv[1]}/{name}")
                page.wait(f"location.href.includes({name!r}) && document.readyState === 'complete'")
                if "search" in name:
                    page.wait("document.querySelectorAll('#mkdocs-search-results article').length > 3")
                seen = page.run(LOOK)
                wrong = [f"{seen['over']} pixels too wide"] * (seen["over"] > 0)
                wrong += [f"loads {a}" for a in seen["away"]]
                wrong += ["no menu"] * (seen["menu"] != "function")
                wrong += ["the wrong theme"] * ((seen["bright"] < 128) != (theme == "dark"))
                for text in wrong + page.said:
                    print(f"FAILED: {name}, {width} pixels, {theme}: {text}")
                    bad = 1
                page.said.clear()
sys.exit(bad)
PY
gives 0 python3 look.py "$work/site"
[ -z "$out" ] || echo "$out"
finish
