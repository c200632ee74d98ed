/** The build inserts the text of the file (scripts/text-imports.mjs). */
declare module '*?text' {
  const text: string
  export default text
}
