import { crypto } from '../../../hash.ts'
import { type Html, html } from './html.ts'

/** The parts of a page. Script and style come from this program and contain no text of a record. */
export interface Sheet {
  title: string
  style: string
  script: string
  body: Html
}

/**
 * Makes a self-contained page. By its policy, a browser may only run this script, use this style and show `data:`
 * images. So the page loads and sends nothing. It runs nothing from a record either, even if markup from a record got
 * past the escaping. The hashes match exactly the texts of this script and style.
 */
export function pageOf({ title, style, script, body }: Sheet): string {
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "trusted-types 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')
  const head = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="cortext">
<title>${title}</title>
<link rel="icon" href="data:,">
`
  return `${head.text}<style>${style}</style>\n</head>\n<body>\n${body.text}\n<script>${script}</script>\n</body>\n</html>\n`
}

function hashOf(text: string): string {
  return `sha256-${crypto().createHash('sha256').update(text).digest('base64')}`
}
