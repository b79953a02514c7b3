#!/bin/sh
# pack.sh LAB : packs LAB/edits into corpus/edits.tar.gz, the same cases always to the same bytes.
set -eu
out="$(cd "$(dirname "$0")/../.." && pwd)/corpus/edits.tar.gz"
cd "$1"
find edits -mindepth 3 -maxdepth 3 -type f -path 'edits/*/edit-*' | LC_ALL=C sort > pack.list
tar --mtime=2026-11-15T18:00:00Z --owner=0 --group=0 --numeric-owner --mode='u=rwX,go=rX' --format=gnu --no-recursion -cf - -T pack.list | gzip -9n > "$out"
rm pack.list
ls -l "$out"
