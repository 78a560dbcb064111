/**
 * The run engine: opens when it gets the engine lease, turns hints into work, and closes when the
 * lease is lost. All state of a run is on its tape, so another engine can continue any run.
 */
package palyra.gateway.internal.engine;
