# Points of a sweep in the plane of two objectives, their front, and the front that is known.
#
#   gnuplot -e "points='all.tsv'; front='front.tsv'; output='folder/name'; source='...'" analysis/front.gp
#
# points, front: tables with the columns f1 and f2 (analysis/front.sql; memsweep pareto -f tsv).
# Writes <output>.png and <output>.svg.
load 'analysis/style.gp'
set datafile separator tab
set xlabel 'f1 (to be low)'
set ylabel 'f2 (to be low)'
eval origin(source)
do for [format in 'png svg'] {
    eval 'set terminal '.(format eq 'png' ? png : svg)
    set output output.'.'.format
    plot points using 'f1':'f2' with points lt 9 title 'points', \
         [0:1] 1 - sqrt(x) with lines lt 1 title 'known front, 1 - sqrt(f1)', \
         front using 'f1':'f2' with points lt 2 ps 1 title 'front'
}
