/**
 * Shell text (bash 3.2) that closes what bash was given by whoever started it, but for standard input, output and errors and
 * the descriptors `kept`. The one that bash has just read the names with is closed already.
 */
export const closeDescriptors = (kept: readonly number[]): string =>
  `for __gopi in /dev/fd/*;do case \${__gopi##*/} in [012]|${kept.join('|')}) ;;` +
  '[0-9]*) \\builtin eval "exec ${__gopi##*/}>&-";;esac;done;\\builtin unset __gopi'
