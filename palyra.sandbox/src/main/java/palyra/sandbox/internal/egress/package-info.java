/** The one way out to the network: what may be reached, the client and the proxies. */
package palyra.sandbox.internal.egress;
