/**
 * Agents and their bindings: what they may look like, how they are stored, and which one a message
 * gets. The intake asks for the agent of a new run, the engine for that of a run.
 */
package palyra.gateway.internal.agents;
