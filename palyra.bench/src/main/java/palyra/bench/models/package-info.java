/** Models on the network: what the gateway adds to the answer of a server. */
package palyra.bench.models;
