// Case equality with x is about values that a circuit does not have.
// expect: UNSAFE b0 (a:
// expect: SAFE b1 (b:
module top(input clk, input d); reg q; reg r = 0; always @(posedge clk) begin q <= d; r <= d; end
  a: assert property (q === r); b: assert property ((r === 1) == r); endmodule
