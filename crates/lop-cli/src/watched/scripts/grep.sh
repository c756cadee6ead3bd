#!/bin/sh
# Stands in for @PROGRAM@ during one run of a test: keeps what it reads and what it finds there, and answers as it does.
place=$(mktemp -d @PLACE@/XXXXXX) || exec @PROGRAM@ "$@"

# The same question aloud.
find_in() {
  input=$1
  shift
  for word; do
    shift
    case $word in
      --quiet | --silent) word=-s ;;
      --*) ;;
      -*q*) word=$(printf %s "$word" | tr q s) ;;
    esac
    set -- "$@" "$word"
  done
  @PROGRAM@ -h "$@" <"$input" >"$place/found"
}

# The first word that is no option is the pattern, unless an option names it.
is_pattern=1
for word; do
  case $word in
    -e* | -f* | --regexp* | --file*) is_pattern=0 ;;
    -*) ;;
    *)
      if [ $is_pattern = 0 ] && [ -f "$word" ]; then
        head -c 1000000 -- "$word" >"$place/read"
        find_in /dev/null "$@"
        exec @PROGRAM@ "$@"
      fi
      [ $is_pattern = 0 ] && [ -e "$word" ] && exec @PROGRAM@ "$@"
      is_pattern=0
      ;;
  esac
done

cat >"$place/read"
find_in "$place/read" "$@"
exec @PROGRAM@ "$@" <"$place/read"
