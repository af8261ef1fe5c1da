/** Programs whose operands are files that they change: outside the project they always ask. */
const WRITERS: ReadonlySet<string> = new Set(
  'cp mv rm ln mkdir rmdir touch tee install truncate unlink chmod chown chgrp shred rsync mkfifo mknod'.split(
    ' ',
  ),
)

export const isWriter = (program: string): boolean => WRITERS.has(program)
