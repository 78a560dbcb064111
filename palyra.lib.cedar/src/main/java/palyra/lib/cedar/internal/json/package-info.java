/** JSON, strictly: what comes from outside, and what the native library answers. */
package palyra.lib.cedar.internal.json;
