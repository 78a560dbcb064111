/**
 * The steps of a run that ask a model: planning a turn, its context window, attempts and retries.
 */
package palyra.gateway.internal.engine.turn;
