# Runs one test of lop, and says how it ended after its output. The first argument says whether the output is wanted, the second
# limits the size of files, in blocks of 512 bytes.
say() {
    printf '\nlop-remote 1 %s\n' "$1"
    exit 0
}

# Words of the test name files of this directory as if it were @MARK@.
root=$(pwd)
[ "$root" != / ] || root=
fill() {
    rest=$1
    filled=
    while :; do
        case $rest in
        *'@MARK@'*)
            filled=$filled${rest%%'@MARK@'*}$root
            rest=${rest#*'@MARK@'}
            ;;
        *) break ;;
        esac
    done
    filled=$filled$rest
}

[ -n "${PATH-}" ] || PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
wants=$1
blocks=$2
own=$root/lop
here=$root/here
TMPDIR=$root/tmp
export PATH TMPDIR

for need in @NEEDS@; do
    found=$(command -v "$need") || say "absent $need"
    case $found in
    /*) [ -x "$found" ] || say "absent $need" ;;
    esac
done
(: >"$own/out" && : >"$own/err" && : >"$own/notice" && : >"$here/.lop-remote" && rm "$here/.lop-remote") ||
    say 'broken its directory cannot be written to'
cd "$here" || say 'broken it has no working directory'
@CHECKS@
if [ "$wants" = output ]; then
    out=$own/out
    err=$own/err
else
    out=/dev/null
    err=/dev/null
fi
@VARIABLES@
set -- @WORDS@
for word; do
    shift
    fill "$word"
    set -- "$@" "$filled"
done
fill @INPUT@
input=$filled

# If a signal ends the test, the shell prints a notice: that tells it from an exit code above 128.
exec 3>&2 2>"$own/notice"
(
    ulimit -c 0 2>/dev/null
    ulimit -f "$blocks" 2>/dev/null
    exec "$@" <"$input" >"$out" 2>"$err" 3>&-
)
code=$?
exec 2>&3 3>&-

printf 'lop-remote 1 output\n'
printf 'lop-remote 1 output\n' >&2
if [ "$wants" = output ]; then
    head -c @MOST@ "$out" || say 'broken it has no program `head`'
    head -c @MOST@ "$err" >&2
fi
if [ "$code" -gt 128 ] && [ -s "$own/notice" ]; then
    say "signal $((code - 128))"
fi
say "exit $code"
