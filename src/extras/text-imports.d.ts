/** The default export is the text of the file. The build inserts it (scripts/text-imports.mjs). */
declare module '*?text' {
  const text: string
  export default text
}
