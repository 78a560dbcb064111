/** What channels cost: a routing decision, and messages through the whole product. */
package palyra.bench.channels;
