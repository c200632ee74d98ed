/** The scripts and styles of the pages as texts, which scripts/text-imports.mjs makes from the files in `browser/`. */
export { default as CONVERSATION_SCRIPT } from './browser/conversation-page.ts?text'
export { default as INDEX_STYLE } from './browser/index-page.css?text'
export { default as INDEX_SCRIPT } from './browser/index-page.ts?text'
export { default as STYLE } from './browser/page.css?text'
