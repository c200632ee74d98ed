/** Prose that sounds like constraints, decisions, problems and next steps, and is none of the planted ones. */
export const NOISE: readonly string[] = [
  'A file must be read as it is, whatever a program thinks of it.',
  'Nothing is ever deleted without a word of the person.',
  'The folder should never be touched while it is being moved.',
  'A name has to be a plain one, without dots or slashes.',
  'Lists leave out what was not looked at for a month, unless they are told otherwise.',
  'The lock is taken before the file is opened, and given back only at the end.',
  'Two processes cannot write at once; the second one waits, at most ten seconds.',
  'We decided early that a line is the unit, and not a record.',
  'The older way was to keep a table; it was given up because tables lie.',
  'Instead of a cache there is a file that can be thrown away.',
  'An error is told with the path, and with a line that can be pasted.',
  'Without a terminal nobody is asked, and nothing is done that needs an answer.',
  'The test fails when the order is changed, which happened twice.',
  'It does not matter which of them comes first, as long as both are there.',
  'The next reader sees what the last writer has left, and nothing of what he was about to write.',
  'A broken line is kept in place and counted; the reader goes on behind it.',
  'Numbers are ratios, since machines differ and a busy one lies.',
  'What remains in the journal is published by whoever comes next.',
  'The window is limited to what the model can take, less what it needs for its answer.',
  'Names are never parsed as octal, however many zeros they begin with.',
  'Always begin with the smallest thing that could work, and measure it.',
  'The hook is required to be fast, so it does not parse anything.',
  'Do not trust the clock: it goes back now and then.',
  'A secret is replaced before it reaches a file that others can read.',
  'If the client is stuck, the person can still end it; the hook only waits for so long.',
  'They agreed that the format stays as it is, with one more key.',
  'The summary is at most a line, and may be empty.',
  'Only what was said is counted; what the machine adds is left out by name.',
  'It has to be possible to read it with nothing but a pager.',
  'A crash in between leaves the old file or the new one, never half of each.',
  'The import was chosen over a copy, because a copy grows old.',
  'Keep the comment short: the name should say it already.',
  'There is a limit of sixty characters for a folder, and none for a title.',
  'Then we look at the record again, and the two have to be the same.',
  'The problem is old: nobody remembers why the column was added.',
  'Support for the older layout stays until the last of them is gone.',
  'After that the branch is merged, and the tree has to be clean.',
  'Avoid a second list of the same names; one of them is always wrong.',
  'An unknown record is kept raw, since it may be understood later.',
  'Every promise stands in one place, beside the code that keeps it.',
]

/** What tools answer with: lines of made-up code. */
export function codeOf(lines: number, from: number): string {
  return Array.from({ length: lines }, (_, n) => {
    const place = from + n
    return place % 5 === 0
      ? `export function step${place}(input: Row[]): Row[] {`
      : `  const value${place} = input.filter((row) => row.part === ${place * 7} && row.size > ${place % 13})`
  }).join('\n')
}
