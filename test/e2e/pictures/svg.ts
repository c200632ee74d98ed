import { cellsOf } from '../../../src/text/cells.ts'

const CELL = { width: 8.4, height: 20 }
const EDGE = 16
const COLOURS = { paper: '#16181d', text: '#d7dae0', dim: '#7d8590', chosen: '#6cb6ff' }

interface Style {
  bold: boolean
  dim: boolean
  chosen: boolean
}

/** A terminal of so many columns as a picture, from what tmux captures of it with its escape sequences. */
export function svgOf(title: string, captured: string, columns: number): string {
  const lines = captured.replace(/\s+$/, '').split('\n')
  const width = Math.round(columns * CELL.width + 2 * EDGE)
  const height = lines.length * CELL.height + 2 * EDGE
  const style: Style = { bold: false, dim: false, chosen: false }
  const texts = lines.flatMap((line, row) => runsOf(line, style).map((run) => textOf(run, row)))
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="100%" height="100%" rx="8" fill="${COLOURS.paper}"/>`,
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="${COLOURS.text}">`,
    ...texts,
    '</g>',
    '</svg>',
  ].join('\n')}\n`
}

interface Run extends Style {
  text: string
  /** The cell that it begins at. */
  at: number
}

/** What tmux turns on and off in these programs: bold, dim, and the colour of what is chosen. */
const CODES: Readonly<Record<string, Partial<Style>>> = {
  '': { bold: false, dim: false, chosen: false },
  0: { bold: false, dim: false, chosen: false },
  1: { bold: true },
  2: { dim: true },
  22: { bold: false, dim: false },
  36: { chosen: true },
  39: { chosen: false },
}

function runsOf(line: string, style: Style): Run[] {
  const runs: Run[] = []
  let at = 0
  for (const [, codes, text] of line.matchAll(/\u001b\[([\d;]*)m|([^\u001b]+)/g)) {
    if (text === undefined) for (const code of codes!.split(';')) Object.assign(style, CODES[code])
    else {
      // Runs of spaces would be drawn as one.
      for (const part of text.matchAll(/\S+(?: \S+)*/g))
        runs.push({ ...style, text: part[0], at: at + cellsOf(text.slice(0, part.index)) })
      at += cellsOf(text)
    }
  }
  return runs
}

function textOf({ text, at, bold, dim, chosen }: Run, row: number): string {
  const [x, y] = [EDGE + at * CELL.width, EDGE + row * CELL.height + 14]
  const length = (cellsOf(text) * CELL.width).toFixed(1)
  const colour = chosen ? COLOURS.chosen : dim ? COLOURS.dim : undefined
  const how = [bold ? ' font-weight="bold"' : '', colour === undefined ? '' : ` fill="${colour}"`].join('')
  return `<text x="${x.toFixed(1)}" y="${y}" textLength="${length}"${how}>${escaped(text)}</text>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
