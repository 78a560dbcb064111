/** Bundles that come into a running product: dropped, or built and swapped on a save. */
package palyra.bench.deploy;
