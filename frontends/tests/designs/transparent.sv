// expect: SAFE b0 (open:
// expect: UNSAFE b1 (follows:
module top(input enable, input d);
  reg q;
  always @* if (enable) q = d;
  open: assert property (!enable || q == d);
  follows: assert property (q == d);
endmodule
