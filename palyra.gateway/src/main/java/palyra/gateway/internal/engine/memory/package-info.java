/** The memory that all runs share: how much each may hold, and which runs wait for some. */
package palyra.gateway.internal.engine.memory;
