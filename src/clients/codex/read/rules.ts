/** How the ids of a seed's items begin, and those of its turn. */
export const SEED = 'msg_cortext_'
export const SEED_TURN = 'cortext-'
