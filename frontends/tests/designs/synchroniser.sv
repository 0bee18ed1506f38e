// A synchroniser: a pulse that is longer than nothing can be missed.
// expect: SAFE b0 (chain:
// expect: UNSAFE b1 (missed:
module top(input ca, input cb, input d);
  reg a = 0; always @(posedge ca) a <= d;
  reg [1:0] s = 0; always @(posedge cb) s <= {s[0], a};
  reg seen = 0; always @(posedge cb) if (s[1]) seen <= 1;
  reg was = 0; always @(posedge ca) if (a) was <= 1;
  chain: assert property (!seen || was || a || s != 0);
  missed: assert property (!(was && !a && s == 0 && !seen));
endmodule
