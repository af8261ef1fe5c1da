/**
 * Ranges of code points from U+00A0 that matter for width, as of Unicode 17.0: East Asian Width from the package
 * get-east-asian-width 1.7.0, the properties and what joins from the ICU 78 of Node 20.20. A range is its distance
 * from the end of the one before, then its length if it is longer than one; both in base 36.
 */

/** Two columns: East Asian Width W and F, and what is an emoji by itself. */
export const WIDE =
  '3cw+2n 3i3+1 e+1 5b+3 4 3 ei+1 m+1 r+7 h+b 18 b+5 4 e 9+1 i+1 6+1 9 6 m 8+1 2 5 3 8 5+1 t 10 2 5+2 2 ' +
  '1q+2 p f nw+1 1g 5 mj+p 2+2g d+5x r+1l 7+e 3+2d 5+2s 6+16 2+2l 2+2d a+1b 2+13 9+mkc 4+1i wq+s hw+8mb ' +
  '6l9+e7 lt+9 n+y 2+i 2+3 46+2n 3k+6 m4a+3 f+4 a+5p6 11+x 2o+36 e+pd f+1e 5y6+3 2+6 2+1 2+88 a u+2 3 ' +
  'f+4 8+az 6bp+2e a+m 5n2 5n 5b 3+9 k 2a+2 e+17 5+8 8+1 f+5 4b+w d+8 2+1x 2+l d+16 5+4 d+g 4 4+1y 2 ' +
  '2+56 3+1q e+3 2+n j r+1 e 2f+2c 1d+1x 7 4+2 3+4 3+3 c+1 8+8 66 6+b 5 7w+1a 2+9 2+54 35+c 4+1y 2 4+h ' +
  '2+c 4+b zq+1ekd 3+1ekd'

/** No column of its own, drawn with what stands before it: marks, joiners, variation selectors, tags. */
export const MARK =
  'lc+33 7o+6 7c+18 2 2+1 2+1 2 21+a 1d+k h 2u+6 3+5 3+1 2+3 10 v+q 2k+a 1n+8 a p+3 2+8 2+2 2+4 18+2 ' +
  '1o+8 17+n 2+v 1k 2 5+7 5 4+6 b+1 u 1n 5+3 9 l+1 r 3+1 1m 5+1 5+1 3+2 4 v+1 4 c+1 1m 5+4 2+1 5 l+1 ' +
  'n+5 2 1n 3 2+3 9 8+1 c+1 v 1q d 1f 4 1k 2+2 6+2 2+3 8+1 c+1 u 1n 3 7 6+1 l+1 t+1 1m+1 5+3 9 l+1 u 21 ' +
  '8+2 2 2j 3+6 d+7 2r 3+8 c+6 22+1 s 2 2 1k+d 2+4 2+1 6+a 2+z a 2v+3 2+5 2+1 3+1 q+1 5+2 h+3 e 3+1 7 g ' +
  'jk+2 qb+2 u+1 v+1 v+1 1t+1 2+6 9 3+a a 1a+2 2 3a+1 z 3b+2 5+1 a 7+2 64+1 3 1n 2+6 2 2 3+7 7+9 3 ' +
  '1d+19 3+b l+3 1d 2+4 2 6 15+8 d+1 x+3 3+1 2+2 1l 2+1 4 2+2 1n+7 3+1 49+2 2+c 2+6 5 7 4+1 5j+1r el+1 ' +
  '5f+w 2db+2 3y 2p+v ff+3 30+1 n9x+3 2+9 x+1 29+1 7l 4 5 q+1 6 48+1 r+h e 13+7 q+a 1b+2 1d 3+3 3+1 14 ' +
  '1w+5 3+1 3+1 d 9 1c 1g 2+2 3+1 6+1 2 17+1 9 6n 3 5 fn5 ki+f h+f r2 6b 46+4 1af+2 2+1 6+3 15+2 5 4m+1 ' +
  'fy+3 1u+4 8u+1 26+5 1z+a 1e+3 3g 1j+e 16 3+1 b+2 1e+3 3+1 8 1q+2 11+4 2+7 1r d+1 1h+8 b+3 3 2o+2 3 ' +
  '2+1 7 3 4e 4+7 m+1 1m+1 4 12+6 4+4 1z+5 e 2 2 f+1 2e+7 3+2 2 o 2d+5 2 5+1 2+1 6n+3 7+1 2+1 s+1 2e+7 ' +
  '3 2+1 2z 2 3+5 2 2u 2 3+3 2+4 78+8 2+1 75+1 2 5 41+3 3+1 5 x+9 15+5 3+3 9 a+5 3+2 1b+c 2+1 5j 2+2 2 ' +
  '5m+6 2+5 2 2b+l 3+6 2+1 2+1 3f+5 4 2+1 2+6 2 21+1 4 2 9o+1 c+1 1h+4 6 2 o 44m 7+e 8uh+b 4+2 1xd+4 ' +
  '1o+6 t5 1s+3 2a f5l+1 3mq+19 3+m f5+2 i+7 3+6 v+3 45+2 1j0+1i 5+1d 9 f n+4 2+e 11t+6 2+g 3+6 2+1 2+4 ' +
  '2t 4h+6 ag 1q+3 e5+3 73+1 6s 3 8+1 6 d7+6 32+6 gzbq+2n 3l+6n'

/** Drawn with what stands before it, in a column of its own. */
export const SPACING =
  '1s3 1k 3+2 9+3 2+1 1f+1 1n+2 7+1 3+1 b 18 1n+2 1v 1n+2 9 2+1 1i+1 1n 2 7+1 3+1 b 2v+1 2+1 4+2 2+2 b ' +
  '16+2 1q+3 1q+1 1n 2+4 3+1 2+1 a+1 t f+1 1n+2 6+2 2+2 b 17+1 24+2 7+7 j+1 1s 3k 3v+1 1s 4y a+1 q+1 19 ' +
  '1ap v 3m 8+7 2+1 9n+3 3+2 5+1 2+5 69+1 1n 2 m+5 42 1d 6 2+4 2+1 1q v 5+1 3 1p 3+2 2 4+1 1d+7 9+1 4s ' +
  'm 3sn+1 np0+1 3 2h+1 1f+f 3z+1 1c 1d+1 5+1 3+2 33+1 3+1 p 4e 3+1 6 6m+1 2+1 2+1 2 gj6+1 38h 2 3k ' +
  '1a+2 5+1 38 p+1 1o 1d+2 a+1 e 2m+2 4+1 2 4r+2 w+1 1n+1 2+3 3+1 3+2 a b+1 2d+2 8 3 2+3 2+1 2 2u+2 9+1 ' +
  '4 2z+2 7 2+3 3 6m+2 7+3 3 36+2 9+1 2 32 2+1 7 2w 8 7a+2 a 6w+5 2+1 5 3 2 3z+2 9+3 5 2d u+1 1r 5m 4 2 ' +
  '5k f 2z 8 3 5y+4 5+1 2 9r+1 d 1d+1 9+1 2 d0p+2 2sl+1i 2x+1 j90+1 7+5'

/** No column, joined to nothing: format characters, and vowels and finals of Hangul, which close a syllable. */
export const HIDDEN = '17g 284+4f 173 1kt 3+1 r+4 1e+f 1075+27 7pc 6p+b ab9+f qxt+3 440+7 h406+v 2p+3j 6p+2rz'

/** Extended_Pictographic: an emoji, or what may become one. */
export const PICTURE =
  '4p 5 68e d 61 n 2j+5 g+1 a8+1 d 4n q+a 5+2 5k 6g+1 b a 1n+3 2+4 a 3 3+1 3 5 3 2+1 3 4 4+1 9+2 6 2 ' +
  '6+b c+1 3 2+1 2 j 3+1 j+5 2 2+1 4+1 6 3+1 5+1 c+1 6+1 3 6+1 2 2+1 l+1 6+5 2+3 3 5 3 3+5 2 3 2 2 7 4 ' +
  '7 b+1 g 3 5 2 5+2 2 c+1 1d+2 a f f ad+1 cw+2 k+1 1g 5 yj d gq 2 2fzf 14+3 2t+b g+1 g f+1 12+9 35+1 ' +
  'd+1 f 3+9 k+1j s+e b l 3+8 2+3 a+m 7+57 3+33 3+1 2+2 3+2a 3+2 2+3 6+71 2+1q c+5 2+n 8+1 3+7 d 3+3 3 ' +
  '5+1 e+1 3 9+1 a 6+2 d+2 9+2 3 2 5 7 4 7+2d 1d+1x 6+7 3+g 4 2+5 3+c 63+11 d+3 1l+7 b+5 15+7 v+1 d+3 ' +
  '3+d a+12 d+1a 2+9 2+54 2h+7 f+41 75+sd'
