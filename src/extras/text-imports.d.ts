/** scripts/text-imports.mjs makes the text of a file. */
declare module '*?text' {
  const text: string
  export default text
}
