import { type Blamed } from '../../workspace/git/blame.ts';
import type { Workspace } from '../../workspace/open.ts';
import type { Traced } from './attribute.ts';
/**
 * Git's blame of a file in a commit, also of lines that were moved within it. When a formatter has indented a line as
 * another one, which reads the same, was indented until then, git takes it for that one. But it stayed where it was, so it
 * came with the commit that indented it.
 */
export declare function blameOf({ root, environment }: Workspace, file: string, commit: string, linesAt: Traced['linesAt']): Promise<Blamed | undefined>;
