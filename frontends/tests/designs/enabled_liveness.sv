// The obligation exists only where the condition holds.
// expect: SAFE j0 (answered:
// expect: UNSAFE j1 (never:
module enabled(input clk, input request);
  reg pending = 0;
  reg answer = 0;
  always @(posedge clk) begin
    pending <= request;
    answer <= pending;
  end
  always @* if (pending) answered: assert property (s_eventually answer);
  always @* if (pending) never: assert property (s_eventually answer && !answer);
endmodule
