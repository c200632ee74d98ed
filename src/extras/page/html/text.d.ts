/** An import of what scripts/browser-text.mjs makes of a file. */
declare module '*?text' {
  const text: string
  export default text
}
