/**
 * The seams to model providers and tool executors, which may be replaced while runs wait for them.
 * The engine asks through it.
 */
package palyra.gateway.internal.seam;
