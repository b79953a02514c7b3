#!/bin/sh
# pack.sh DIR [NAME...]: packs DIR/NAME into corpus/NAME.tar.gz, the same files always to the same bytes. NAME is edits, trees or oracle (edits).
set -eu
corpus="$(cd "$(dirname "$0")/../.." && pwd)/corpus"
cd "$1"
shift
[ $# -gt 0 ] || set -- edits
for name in "$@"; do
    # Of the edits only the cases: the folder holds scripts of the recorder too.
    case "$name" in
        edits) find edits -mindepth 3 -maxdepth 3 -type f -path 'edits/*/edit-*' | LC_ALL=C sort > pack.list; what="--no-recursion -T pack.list" ;;
        *) what="--sort=name $name" ;;
    esac
    # shellcheck disable=SC2086
    tar --mtime=2026-11-15T18:00:00Z --owner=0 --group=0 --numeric-owner --mode='u=rwX,go=rX' --format=gnu -cf - $what | gzip -9n > "$corpus/$name.tar.gz"
    rm -f pack.list
    ls -l "$corpus/$name.tar.gz"
done
