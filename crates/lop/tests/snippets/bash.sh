#!/bin/bash
# Keep a small stock list in a text file.
set -euo pipefail

readonly STOCK_FILE="${STOCK_FILE:-/tmp/stock.txt}"
declare -A prices=([apple]=3 [pear]=4 ["dried fig"]=12)
names=(apple pear "dried fig")
verbose=0

usage() {
    cat <<TEXT
Usage: ${0##*/} [-v] COMMAND [NAME] [COUNT]
The list is kept in $STOCK_FILE.
TEXT
}

log() {
    [[ $verbose -eq 1 ]] && printf '%s\t%s\n' "$(date +%H:%M)" "$*" >&2
    return 0
}

function add_item {
    local name=$1 count=${2:-1}
    if [[ -z "$name" || ! "$count" =~ ^[0-9]+$ ]]; then
        echo "bad item: \"$name\"" >&2
        return 1
    elif (( count > 100 )); then
        log "large amount of $name"
    else
        log "adding $count"
    fi
    echo "$name:$count" >> "$STOCK_FILE"
}

total() {
    local sum=0 name count
    while IFS=: read -r name count; do
        [ -n "$name" ] || continue
        sum=$((sum + count * ${prices[$name]:-1}))
    done < "$STOCK_FILE"
    echo "$sum"
}

while getopts "vh" option; do
    case "$option" in
        v) verbose=1 ;;
        h | \?)
            usage
            exit 0
            ;;
    esac
done
shift $((OPTIND - 1))

trap 'rm -f "$STOCK_FILE.lock"' EXIT
touch "$STOCK_FILE" && : > "$STOCK_FILE.lock"

case "${1:-list}" in
    add) add_item "${2:-}" "${3:-1}" ;;
    total) total ;;
    list)
        for name in "${names[@]}"; do
            found=$(grep -c "^$name:" "$STOCK_FILE" || true)
            echo "${name^}: $found lines, ${#name} letters"
        done
        ;;
    *) usage; exit 2 ;;
esac

for ((i = 0; i < ${#names[@]}; i++)); do
    log "$i" "${names[i]}"
done

until [[ $i -le 0 ]]; do
    i=$((i - 1))
done

sort "$STOCK_FILE" | uniq -c | { read -r first || first=none; echo "first: $first"; }
(cd /tmp && ls -1 *.txt 2>/dev/null) &
wait
