// An assertion in a branch that a parameter excludes does not exist.
// expect: SAFE b0 (on:
module top #(parameter DBG = 0)(input clk, input d); reg q = 0; always @(posedge clk) q <= d;
  generate if (DBG) begin off: assert property (!q); end else begin on: assert property (q || !q); end endgenerate endmodule
