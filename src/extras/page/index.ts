/** The exports for pages: one conversation as HTML, or all of them with an index. */
export { allPagesFolder, writePage } from '../../store/machine/pages.ts'
export { viewConversation } from './view.ts'
export { INDEX, viewAll } from './view-all.ts'
