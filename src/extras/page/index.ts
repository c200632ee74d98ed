/** The exports for pages: one conversation as HTML, or all of them with an index. */
export { keepPage, ownPagesFolder, viewConversation } from './view.ts'
export { INDEX, viewAll } from './view-all.ts'
