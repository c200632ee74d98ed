/** A number without a letter or digit of ASCII, as Chinese and Japanese write it: 一二三〇 for 1230. */
export function inHanDigits(number: string): string {
  return number.replace(/\d/g, (digit) => '〇一二三四五六七八九'[Number(digit)]!)
}
