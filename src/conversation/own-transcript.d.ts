import type { Binding } from '../store/machine/binding.ts';
import type { Workspace } from '../workspace/open.ts';
/**
 * The transcript that a binding names, as far as it may be one: a file of that session, in the folder where its client
 * keeps transcripts, links resolved. Otherwise '', which is no file: a binding is a file too, and what a forged one
 * names is not read into a conversation.
 */
export declare function transcriptOf(ws: Pick<Workspace, 'environment'>, { client, native_id: nativeId, transcript }: Pick<Binding, 'client' | 'native_id' | 'transcript'>): string;
