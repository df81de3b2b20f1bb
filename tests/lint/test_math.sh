#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does everything take its transcendental functions from base/math*.c? The C library may choose
# another exp on another CPU, and GSL's distributions call the C library's; both would change rows.
# What IEEE rounds exactly (sqrt, fmod, floor, ldexp, ...) may come from the C library.
source "$(dirname "$0")/objects.sh"
functions='(a?(cos|sin|tan)h?|atan2|sincos|exp|exp2|exp10|pow10|expm1|log|log2|log10|log1p|logb'
functions+='|pow|cbrt|hypot|erf|erfc|[lt]gamma|lgamma_r|gamma|[jy][01n]|c(exp|log|pow|sqrt|abs))[fl]?(_finite)?'
gsl='gsl_(cdf|ran|sf|log1p|expm1|hypot|acosh|asinh|atanh|integration|fft|complex)(_.*|3)?'

# The library, and the program around it.
for objects in "$objects" "${objects/memsweep_objects.dir/memsweep_cli.dir}"; do
    while read -r source symbol; do
        fail "src/$source: $symbol may change with the CPU: use msw_math_... of memsweep/base/math.h"
    done < <(all_objects . | xargs nm -A -u | sed -E "s|^$objects/(\./)?||; s|\.o: +U | |; s|@.*||" |
        grep -E " (__)?($functions|$gsl)\$" | sort -u)
done
exit $bad
