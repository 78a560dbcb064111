/** The engine lease and the fencing that it gives to every write of the engine. */
package palyra.gateway.internal.engine.lease;
