/**
 * Whether a value of LANG or LC_* is a locale in which every program sees the same characters as gopi. In GBK, Big5 and
 * Shift-JIS a byte of a letter may be taken for one with the backslash behind it, so that what is quoted here is not there;
 * and a name with a slash is a file.
 */
export const isPlainLocale = (value: string): boolean =>
  /^(?:|C|POSIX|(?:C|[a-zA-Z]{2,3}(?:_[a-zA-Z]+)?)\.utf-?8(?:@\w+)?)$/i.test(value)
