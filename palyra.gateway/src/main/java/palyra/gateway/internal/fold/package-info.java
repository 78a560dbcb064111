/**
 * What a run's tape says, folded: the history of the run, its next step, and the snapshot of that.
 * Does nothing by itself; workers of the engine act on it.
 */
package palyra.gateway.internal.fold;
