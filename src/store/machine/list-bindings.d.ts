import { type Binding, type Segment } from './binding.ts';
/** A caller that only looks passes `keepIndex: false`: nothing is written, and broken files stay where they are. */
export interface Looking {
    readonly keepIndex?: boolean;
}
/**
 * All bindings of this machine, in all worktrees. Ten thousand take a tenth of a second, because they are indexed by
 * their stats. Broken files are set aside and logged.
 */
export declare function listBindings(local: string, { keepIndex }?: Looking): Binding[];
/** All bindings, and the paths of files that are not a binding (`broken`). Writes nothing and trusts no index. */
export declare function surveyBindings(local: string): {
    bindings: Binding[];
    broken: string[];
};
/** The segments of one conversation (workspace-relative path), binding by binding, each binding in its own order. */
export declare function segmentsOf(local: string, conversation: string, looking?: Looking): {
    binding: Binding;
    segment: Segment;
}[];
/** Every segment that is being written on this machine, whichever conversation it belongs to. */
export declare function listLive(local: string, looking?: Looking): {
    binding: Binding;
    segment: Segment;
}[];
export declare function liveIn(bindings: readonly Binding[]): {
    binding: Binding;
    segment: Segment;
}[];
/** Ended segments that were never published to their end, as when the process that was to do it was killed. */
export declare function unpublishedIn(bindings: readonly Binding[]): {
    binding: Binding;
    segment: Segment;
}[];
/** Notes how far the segments that a conversation has in one journal generation have been published. */
export declare function markPublished(local: string, binding: Binding, { conversation, journal }: Segment, to: number): void;
