// A statement in a process with an asynchronous reset is about its edges.
// expect: SAFE b0 (low:
// expect: UNSAFE b1 (one:
module top(input clk, input rst_n, input d);
  reg q, r;
  always @(posedge clk or negedge rst_n)
    if (!rst_n) begin q <= 0; r <= 0; end else begin q <= d; r <= d; low: assert (q == r); one: assert (!q); end
  initial assume (!rst_n);
endmodule
