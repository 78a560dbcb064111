/** Bundles that are dropped into a running product. */
package palyra.bench.deploy;
