/** The front for surfaces: submit, follow, cancel; works while the gateway is being swapped. */
package palyra.front.internal;
