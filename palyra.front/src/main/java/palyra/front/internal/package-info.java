/** What surfaces call: submit, follow, cancel; works while the gateway is being swapped. */
package palyra.front.internal;
