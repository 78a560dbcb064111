/** Where the master key comes from, and the ring of keys that it opens. */
package palyra.vault.internal.key;
