/** What commands write: text for a model, and files that hold all of it. */
package palyra.sandbox.internal.output;
