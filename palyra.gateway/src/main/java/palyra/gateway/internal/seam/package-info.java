/**
 * The services around the gateway, each of which may come and go while runs wait for it: gates to
 * the core services, model providers and tool executors.
 */
package palyra.gateway.internal.seam;
