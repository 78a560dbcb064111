/**
 * The run engine: holds the lease, takes runs, asks models, has calls decided and run, and ends
 * runs. All that it knows of a run it reads from the tape, so another engine goes on where one
 * stopped.
 */
package palyra.gateway.internal.engine;
