/**
 * The seams to model providers and tool executors, which may leave while somebody waits for them.
 * The engine asks through it.
 */
package palyra.gateway.internal.seam;
