import { type Binding } from './binding.ts';
/**
 * Carries what this machine knows of a conversation over to where its folder lies now, and to its `id` there, where that
 * has changed; both paths are workspace-relative. Segments that were recorded elsewhere, as in another worktree where the folder lies as before,
 * stay as they are. Doing it twice changes nothing; after a kill, the next call does what is left. Throws `locked`,
 * `unreadable` and `unwritable`.
 */
export declare function moveConversation(local: string, from: string, to: string, isOurs: (binding: Binding) => boolean, id?: string): void;
